#ifndef TACKLINE_TEST_WIDTH_H
#define TACKLINE_TEST_WIDTH_H

/// How many tests run at the same time: twice the number of cores, and at least four. 0 if it was not set here, since
/// the environment already said.
int tackline_test_width(void);

#endif
