/* SPDX-License-Identifier: MIT */
/* Locks for a module that has one thread: there is nothing to lock. wasi-libc has no pthread.h. */
#ifndef JAGER_WEB_PTHREAD_H
#define JAGER_WEB_PTHREAD_H

typedef int pthread_mutex_t;

#define pthread_mutex_init(mutex, attributes) ((void)(mutex), (void)(attributes))
#define pthread_mutex_destroy(mutex) ((void)(mutex))
#define pthread_mutex_lock(mutex) ((void)(mutex))
#define pthread_mutex_unlock(mutex) ((void)(mutex))

#endif
