// SPDX-License-Identifier: MIT
// Declarations that let LAMMPS' headers compile where its own copy of {fmt} is not installed (Debian's liblammps-dev).
// Nothing here is ever called: messages are made as std::string.
#ifndef JAGER_LAMMPS_FMT_FORMAT_H
#define JAGER_LAMMPS_FMT_FORMAT_H

#include <string>

namespace fmt
{
inline namespace v7_lmp
{

template <typename T> class basic_string_view
{
public:
  basic_string_view(const T *);
  basic_string_view(const std::basic_string<T> &);
};
using string_view = basic_string_view<char>;

struct format_args {
};

template <typename... Args, typename S> format_args make_args_checked(const S &, const Args &...);

} // namespace v7_lmp
} // namespace fmt

#endif
