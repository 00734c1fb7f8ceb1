/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE /* setns() */
#include "cluster/device.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

static const char name[] = "ovk0";
static const uint32_t subnet = 0x0a4d0000U; /* 10.77.0.0/24 */
static const uint32_t netmask = 0xffffff00U;

static int device_enter(const char *pid)
{
  char path[64];
  snprintf(path, sizeof path, "/proc/%s/ns/net", pid);
  const int space = open(path, O_RDONLY | O_CLOEXEC);
  if (space < 0) return -1;
  const int status = setns(space, CLONE_NEWNET);
  close(space);
  return status;
}

static int device_create(void)
{
  struct ifreq request = {.ifr_flags = IFF_TUN | IFF_NO_PI};
  memcpy(request.ifr_name, name, sizeof name);
  const int device = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
  if (device < 0 || !ioctl(device, TUNSETIFF, &request)) return device;
  close(device);
  return -1;
}

static bool set_address(int control, unsigned long command, uint32_t address)
{
  struct ifreq request = {0};
  const struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(address)};
  memcpy(request.ifr_name, name, sizeof name);
  memcpy(&request.ifr_addr, &a, sizeof a);
  return !ioctl(control, command, &request);
}

static bool set_mtu(int control)
{
  struct ifreq request = {.ifr_mtu = DEVICE_MTU};
  memcpy(request.ifr_name, name, sizeof name);
  return !ioctl(control, SIOCSIFMTU, &request);
}

static bool start_device(int control, const char *which)
{
  struct ifreq request = {.ifr_flags = IFF_UP | IFF_RUNNING};
  snprintf(request.ifr_name, sizeof request.ifr_name, "%s", which);
  return !ioctl(control, SIOCSIFFLAGS, &request);
}

static bool device_configure(int number)
{
  const int control = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (control < 0) return false;
  const bool done = set_address(control, SIOCSIFADDR, subnet + (uint32_t)number) &&
                    set_address(control, SIOCSIFNETMASK, netmask) && set_mtu(control) &&
                    start_device(control, name) && start_device(control, "lo");
  close(control);
  return done;
}

int device_open(const char *pid, int number)
{
  if (device_enter(pid)) return -1;
  const int device = device_create();
  if (device < 0 || device_configure(number)) return device;
  close(device);
  return -1;
}
