# SPDX-License-Identifier: MIT
# What `cmake --install` puts where: library, header, CMake package, pkg-config file.
include(CMakePackageConfigHelpers)

install(TARGETS jager EXPORT jagerTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/jager DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(EXPORT jagerTargets NAMESPACE jager:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/jager)

configure_package_config_file(cmake/jagerConfig.cmake.in ${PROJECT_BINARY_DIR}/jagerConfig.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/jager)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/jagerConfigVersion.cmake COMPATIBILITY ${JAGER_COMPATIBILITY})
install(FILES ${PROJECT_BINARY_DIR}/jagerConfig.cmake ${PROJECT_BINARY_DIR}/jagerConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/jager)

# The install prefix may be given as late as `cmake --install --prefix`: the file finds itself.
set(JAGER_PC_LIBDIR "\${pcfiledir}/..")
file(RELATIVE_PATH include_from_pc /${CMAKE_INSTALL_LIBDIR}/pkgconfig /${CMAKE_INSTALL_INCLUDEDIR})
set(JAGER_PC_INCLUDEDIR "\${pcfiledir}/${include_from_pc}")
configure_file(cmake/jager.pc.in ${PROJECT_BINARY_DIR}/jager.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/jager.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
