#include "tackline_curl.h"

#if defined(__linux__) && !defined(__ANDROID__)

#include <errno.h>
#include <net/if.h>
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

static int tells_return(const struct nlmsghdr *message) {
    if (message->nlmsg_type == RTM_NEWADDR || message->nlmsg_type == RTM_NEWROUTE) return 1;
    if (message->nlmsg_type != RTM_NEWLINK) return 0;
    if (message->nlmsg_len < NLMSG_LENGTH(sizeof(struct ifinfomsg))) return 0;
    const struct ifinfomsg *link = NLMSG_DATA(message);
    return (link->ifi_flags & IFF_UP) && (link->ifi_flags & IFF_RUNNING);
}

int tackline_network_read(int number) {
    union {
        struct nlmsghdr header;
        char bytes[16384];
    } buffer;
    int result = 0;
    for (;;) {
        ssize_t count = recv(number, buffer.bytes, sizeof buffer.bytes, 0);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return result;
        // Notices were lost, so an interface may have come up.
        if (count < 0 && errno == ENOBUFS) {
            result = 1;
            continue;
        }
        if (count <= 0) return -1;
        unsigned int rest = (unsigned int)count;
        for (const struct nlmsghdr *message = &buffer.header; NLMSG_OK(message, rest);
             message = NLMSG_NEXT(message, rest)) {
            if (tells_return(message)) result = 1;
        }
    }
}

#endif
