#include "tackline_curl.h"

#if defined(__linux__) && !defined(__ANDROID__)

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <linux/netlink.h>
#include <linux/rtnetlink.h>

int tackline_network_open(void) {
    int number = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);
    if (number < 0) return -1;
    struct sockaddr_nl address;
    memset(&address, 0, sizeof address);
    address.nl_family = AF_NETLINK;
    address.nl_groups =
        RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR | RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_ROUTE;
    if (bind(number, (struct sockaddr *)&address, sizeof address) == 0) return number;
    close(number);
    return -1;
}

int tackline_network_drain(int number) {
    char bytes[16384];
    for (;;) {
        if (recv(number, bytes, sizeof bytes, 0) > 0) continue;
        if (errno == EAGAIN || errno == EWOULDBLOCK) return 1;
        // With ENOBUFS notices were lost, and more can be read.
        if (errno != EINTR && errno != ENOBUFS) return 0;
    }
}

#endif
