/* SPDX-License-Identifier: MIT */
/* The distribution of pressure and shear traction over a contact, as CSV. */
#ifndef JAGER_CLI_CONTACT_TRACTIONS_H
#define JAGER_CLI_CONTACT_TRACTIONS_H

#include "jager/jager.h"

#include <stdio.h>

/* JAGER_OK, or an error of the library. Errors of writing stay with the stream. */
jager_status contact_tractions_write(const jager_law *law, const jager_contact *contact, FILE *stream);

#endif
