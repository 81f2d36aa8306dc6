// SPDX-License-Identifier: MIT
// The contact law as it is written in an input script: G nu friction [keyword value]...
#ifndef JAGER_LAMMPS_LAW_READER_H
#define JAGER_LAMMPS_LAW_READER_H

#include "pair_contact.h"

#include "pointers.h"

namespace jager_lammps
{

// Plain data: it also stands in restart files.
struct Material {
  jager_body body, other; // `other` only where the two differ
  double friction, tolerance, dp_max, viscous, slope, exponent;
  int contour, is_dissimilar;

  Material();

  // Its law; errors in LAMMPS' own way, beginning with `command`.
  pair_law law(LAMMPS_NS::LAMMPS *lmp, const std::string &command) const;

  // What two materials make of each other.
  static Material mix(const Material &a, const Material &b);
};

class LawReader : protected LAMMPS_NS::Pointers
{
public:
  LawReader(LAMMPS_NS::LAMMPS *engine, const std::string &command_name, int count, char **arguments)
      : Pointers(engine), command(command_name), narg(count), arg(arguments), at(0)
  {
  }

  // G nu friction, then all keywords that are known here; stops at the first other word, or at the end.
  Material read();

  bool has_more() const
  {
    return at < narg;
  }
  bool is_word(const char *) const; // the next argument
  std::string word(const char *what);
  double number(const char *what);
  bool number_or_null(const char *what, double &); // false: NULL
  [[noreturn]] void fail(const std::string &) const;

private:
  std::string command;
  int narg;
  char **arg;
  int at;

  bool read_keyword(Material &);
};

} // namespace jager_lammps

#endif
