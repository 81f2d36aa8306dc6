// SPDX-License-Identifier: MIT
// What LAMMPS throws, for versions whose headers are installed without exceptions.h (Debian's liblammps-dev).
// Exceptions are caught by the names of their classes and of the bases; no member is used.
#ifndef LMP_EXCEPTIONS_H
#define LMP_EXCEPTIONS_H

#include <exception>
#include <mpi.h>
#include <string>

namespace LAMMPS_NS
{

class LAMMPSException : public std::exception
{
public:
  explicit LAMMPSException(const std::string &)
  {
  }
};

class LAMMPSAbortException : public LAMMPSException
{
public:
  LAMMPSAbortException(const std::string &message, MPI_Comm) : LAMMPSException(message)
  {
  }
};

} // namespace LAMMPS_NS

#endif
