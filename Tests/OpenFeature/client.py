#!/usr/bin/env python3
"""Reads a file that `tackline serve` serves with OpenFeature's SDK for Python and its OFREP provider.

    Tests/OpenFeature/client.py <base URL> <key of the server> <file that it serves>

It fails with the first answer that is another one than it should be. At last it edits the file.
"""

import json
import sys
import time

from openfeature import api
from openfeature.contrib.provider.ofrep import OFREPProvider
from openfeature.evaluation_context import EvaluationContext
from openfeature.exception import ErrorCode
from openfeature.flag_evaluation import Reason

base, key, path = sys.argv[1:]
api.set_provider(OFREPProvider(base, headers_factory=lambda: {"X-API-Key": key}))
client = api.get_client()
ada = EvaluationContext("ada", {"plan": "gold"})
count = 0


def check(details, value, **expected):
    global count
    count += 1
    found = {name: getattr(details, name) for name in expected}
    if details.value != value or found != expected:
        sys.exit(f"{details.flag_key}: {details}\nshould be {value} with {expected}")


check(client.get_float_details("fee", 9.0, ada), 1.0, variant="low", reason=Reason.TARGETING_MATCH)
check(client.get_float_details("fee", 9.0), 2.5, variant="high", reason=Reason.UNKNOWN)
check(client.get_string_details("discount-banner", ""), "20 %", variant="summer", reason=Reason.STATIC)
check(client.get_integer_details("count", 0), 12, flag_metadata={"version": "7"})
check(client.get_object_details("theme", {}), {"colour": "red"})
check(client.get_integer_details("off", 77), 77)
check(client.get_integer_details("none", 78), 78, error_code=ErrorCode.FLAG_NOT_FOUND)
check(client.get_boolean_details("count", True), True, error_code=ErrorCode.TYPE_MISMATCH)

# The same users in the same half as for everybody who evaluates the file by itself: about half of them, and always the same.
users = [EvaluationContext(f"user-{number}") for number in range(200)]
first = [client.get_boolean_value("half", False, user) for user in users]
if first != [client.get_boolean_value("half", False, user) for user in users]:
    sys.exit("A second question gave another answer.")
if not 60 < sum(first) < 140:
    sys.exit(f"{sum(first)} of 200 users have the half.")

document = json.load(open(path, encoding="utf-8"))
document["flags"]["count"]["variants"]["dozen"] = 13
with open(path, "w", encoding="utf-8") as file:
    json.dump(document, file)
while client.get_integer_value("count", 0) != 13:
    time.sleep(0.05)

api.set_provider(OFREPProvider(base))
check(client.get_integer_details("count", 79), 79, error_code=ErrorCode.GENERAL)
print(f"{count} answers are as they should be, of 200 users {sum(first)} have the half, twice, and an edit arrived.")
