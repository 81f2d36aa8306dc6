/* SPDX-License-Identifier: MIT */
/*
 * The names of jager/compact.h, which alone includes this, at its beginning and at its end. jager/pair.h, jager/detail
 * and compact.h itself are written in plain names. The first inclusion makes each of them a name of this contact, the
 * second one undefines them. The arguments have an underscore in front, as without it they would be macros themselves.
 */
#ifndef JAGERC_PRIVATE

#if defined(JAGER_COMPACT_NAME)
#define JAGERC_JOIN_NOW(a, b) a##b
#define JAGERC_JOIN(a, b) JAGERC_JOIN_NOW(a, b)
#define JAGERC_PUBLIC(name) JAGERC_JOIN(JAGER_COMPACT_NAME, name)
#define JAGERC_PRIVATE(name) JAGERC_JOIN(JAGERC_PUBLIC(_private), name)
#define jager_compact JAGER_COMPACT_NAME
#define jager_compact_law JAGERC_PUBLIC(_law)
#define jager_compact_force JAGERC_PUBLIC(_force)
#define jager_compact_real JAGERC_PUBLIC(_real)
#define jager_compact_stored JAGERC_PUBLIC(_stored)
#define jager_compact_word JAGERC_PUBLIC(_word)
#define jager_compact_check JAGERC_PUBLIC(_check)
#define jager_compact_move JAGERC_PUBLIC(_move)
#define jager_compact_force_of JAGERC_PUBLIC(_force_of)
#define jager_compact_error JAGERC_PUBLIC(_error)
#define jager_compact_check_arithmetic JAGERC_PUBLIC(_check_arithmetic)
#define jager_compact_law_of JAGERC_PUBLIC(_law_of)
#define jager_compact_dashpot JAGERC_PUBLIC(_dashpot)
#define jager_compact_dashpot_of JAGERC_PUBLIC(_dashpot_of)
#define jager_compact_stiffness_of_spheres JAGERC_PUBLIC(_stiffness_of_spheres)
#else
#define JAGERC_PUBLIC(name) jager_compact##name
#define JAGERC_PRIVATE(name) jager_compact_private##name
#endif

/* Of jager/pair.h */
#define jager_real jager_compact_real
#define jager_scalar jager_compact_real
#define jager_truth int
#define jager_vec3 JAGERC_PUBLIC(_vec3)
#define jager_vec3_add JAGERC_PUBLIC(_vec3_add)
#define jager_vec3_subtract JAGERC_PUBLIC(_vec3_subtract)
#define jager_vec3_scale JAGERC_PUBLIC(_vec3_scale)
#define jager_vec3_add_scaled JAGERC_PUBLIC(_vec3_add_scaled)
#define jager_vec3_dot JAGERC_PUBLIC(_vec3_dot)
#define jager_vec3_cross JAGERC_PUBLIC(_vec3_cross)
#define jager_vec3_length JAGERC_PUBLIC(_vec3_length)
#define jager_vec3_across JAGERC_PUBLIC(_vec3_across)
#define jager_pair_arm JAGERC_PUBLIC(_pair_arm)
#define jager_pair_surface_shift JAGERC_PUBLIC(_pair_surface_shift)
#define jager_pair_twirl JAGERC_PUBLIC(_pair_twirl)
#define jager_pair_cayley JAGERC_PUBLIC(_pair_cayley)
#define jager_pair_spheres JAGERC_PUBLIC(_pair_spheres)
#define jager_pair_movement JAGERC_PUBLIC(_pair_movement)
#define jager_pair_move JAGERC_PUBLIC(_pair_move)
#define jager_pair_unit JAGERC_PUBLIC(_pair_unit)
#define jager_pair_force JAGERC_PUBLIC(_pair_force)
#define jager_pair_moment JAGERC_PUBLIC(_pair_moment)
#define jager_pair_mass JAGERC_PUBLIC(_pair_mass)
#define jager_dashpot JAGERC_PUBLIC(_dashpot)
#define jager_dashpot_force JAGERC_PUBLIC(_dashpot_force)
#define jager_dashpot_damp JAGERC_PUBLIC(_dashpot_damp)

/* Of jager/detail: the types, and what a pool is to the library */
#define jager_law jager_compact_law
#define jager_force jager_compact_force
#define jager_pool jager_compact
#define scalar jager_compact_real
#define real jager_compact_real
#define word jager_compact_word
#define state_word jager_compact_word
#define truth int
#define JAGER_FUNCTION JAGER_COMPACT_FUNCTION
#define JAGER_ASSERT(condition) JAGER_COMPACT_ASSERT(condition)
#define JAGER_NUMBER(value) ((jager_compact_real)(value))
#define choose(condition, a, b) ((condition) ? (a) : (b))
#define jager_history_sum_anchor sum_anchor

/* Of jager/detail and of this header */
#define SPACE_FORCE JAGERC_PRIVATE(_SPACE_FORCE)
#define SPACE_MOVEMENT JAGERC_PRIVATE(_SPACE_MOVEMENT)
#define anchor_is_possible JAGERC_PRIVATE(_anchor_is_possible)
#define anchor_of JAGERC_PRIVATE(_anchor_of)
#define bound_after_slip JAGERC_PRIVATE(_bound_after_slip)
#define cheapest_chord JAGERC_PRIVATE(_cheapest_chord)
#define check_compact JAGERC_PRIVATE(_check_compact)
#define choose_segment JAGERC_PRIVATE(_choose_segment)
#define chord JAGERC_PRIVATE(_chord)
#define clamp_slope JAGERC_PRIVATE(_clamp_slope)
#define clamp_slopes JAGERC_PRIVATE(_clamp_slopes)
#define compensated_add JAGERC_PRIVATE(_compensated_add)
#define compensated_vec2 JAGERC_PRIVATE(_compensated_vec2)
#define compensated_vec2_add JAGERC_PRIVATE(_compensated_vec2_add)
#define cone_contains JAGERC_PRIVATE(_cone_contains)
#define cone_contains_top JAGERC_PRIVATE(_cone_contains_top)
#define cone_entry JAGERC_PRIVATE(_cone_entry)
#define cone_entry_depth JAGERC_PRIVATE(_cone_entry_depth)
#define cone_way JAGERC_PRIVATE(_cone_way)
#define contact_apart JAGERC_PRIVATE(_contact_apart)
#define contact_data JAGERC_PRIVATE(_contact_data)
#define count_dropped_point JAGERC_PRIVATE(_count_dropped_point)
#define count_first_point JAGERC_PRIVATE(_count_first_point)
#define count_new_point JAGERC_PRIVATE(_count_new_point)
#define curvature_factor JAGERC_PRIVATE(_curvature_factor)
#define curvature_factor_of JAGERC_PRIVATE(_curvature_factor_of)
#define drop JAGERC_PRIVATE(_drop)
#define drop_share JAGERC_PRIVATE(_drop_share)
#define dropped_shares JAGERC_PRIVATE(_dropped_shares)
#define entry_cursor JAGERC_PRIVATE(_entry_cursor)
#define entry_cursor_descend JAGERC_PRIVATE(_entry_cursor_descend)
#define entry_cursor_top JAGERC_PRIVATE(_entry_cursor_top)
#define entry_end JAGERC_PRIVATE(_entry_end)
#define entry_error_bound JAGERC_PRIVATE(_entry_error_bound)
#define entry_exists JAGERC_PRIVATE(_entry_exists)
#define entry_pop JAGERC_PRIVATE(_entry_pop)
#define entry_push JAGERC_PRIVATE(_entry_push)
#define entry_slope JAGERC_PRIVATE(_entry_slope)
#define error_bound_below_second JAGERC_PRIVATE(_error_bound_below_second)
#define find_cut JAGERC_PRIVATE(_find_cut)
#define force_component JAGERC_PRIVATE(_force_component)
#define force_is_finite JAGERC_PRIVATE(_force_is_finite)
#define force_magnitude JAGERC_PRIVATE(_force_magnitude)
#define force_of JAGERC_PRIVATE(_force_of)
#define has_entries JAGERC_PRIVATE(_has_entries)
#define has_grown_long JAGERC_PRIVATE(_has_grown_long)
#define history_drop_second JAGERC_PRIVATE(_history_drop_second)
#define history_entry JAGERC_PRIVATE(_history_entry)
#define history_push JAGERC_PRIVATE(_history_push)
#define history_segment JAGERC_PRIVATE(_history_segment)
#define is_last JAGERC_PRIVATE(_is_last)
#define join_top JAGERC_PRIVATE(_join_top)
#define load_contact JAGERC_PRIVATE(_load_contact)
#define lower_friction JAGERC_PRIVATE(_lower_friction)
#define may_merge JAGERC_PRIVATE(_may_merge)
#define mean_slope JAGERC_PRIVATE(_mean_slope)
#define merge_top JAGERC_PRIVATE(_merge_top)
#define move_compact JAGERC_PRIVATE(_move_compact)
#define movement_target JAGERC_PRIVATE(_movement_target)
#define normal_force JAGERC_PRIVATE(_normal_force)
#define number_from_high32 JAGERC_PRIVATE(_number_from_high32)
#define number_high32 JAGERC_PRIVATE(_number_high32)
#define number_high32_above JAGERC_PRIVATE(_number_high32_above)
#define path_walk JAGERC_PRIVATE(_path_walk)
#define points_are_possible JAGERC_PRIVATE(_points_are_possible)
#define put_chord JAGERC_PRIVATE(_put_chord)
#define quotients_and_roots_are_rounded JAGERC_PRIVATE(_quotients_and_roots_are_rounded)
#define raised_bound JAGERC_PRIVATE(_raised_bound)
#define real_abs JAGERC_PRIVATE(_real_abs)
#define real_max JAGERC_PRIVATE(_real_max)
#define real_min JAGERC_PRIVATE(_real_min)
#define real_of JAGERC_PRIVATE(_real_of)
#define real_sqrt JAGERC_PRIVATE(_real_sqrt)
#define remove_entry JAGERC_PRIVATE(_remove_entry)
#define round_contact JAGERC_PRIVATE(_round_contact)
#define scale_bound JAGERC_PRIVATE(_scale_bound)
#define scale_bounds JAGERC_PRIVATE(_scale_bounds)
#define second_share JAGERC_PRIVATE(_second_share)
#define see_below JAGERC_PRIVATE(_see_below)
#define see_top JAGERC_PRIVATE(_see_top)
#define seen_segment JAGERC_PRIVATE(_seen_segment)
#define segment_at JAGERC_PRIVATE(_segment_at)
#define set_anchor JAGERC_PRIVATE(_set_anchor)
#define set_bound_of_new_top JAGERC_PRIVATE(_set_bound_of_new_top)
#define set_entry_slope JAGERC_PRIVATE(_set_entry_slope)
#define set_stiffness JAGERC_PRIVATE(_set_stiffness)
#define set_top JAGERC_PRIVATE(_set_top)
#define set_top_base JAGERC_PRIVATE(_set_top_base)
#define shift_while_touching JAGERC_PRIVATE(_shift_while_touching)
#define shorten_if_due JAGERC_PRIVATE(_shorten_if_due)
#define slide JAGERC_PRIVATE(_slide)
#define slip JAGERC_PRIVATE(_slip)
#define slip_cut JAGERC_PRIVATE(_slip_cut)
#define slip_factor JAGERC_PRIVATE(_slip_factor)
#define slip_factor_of JAGERC_PRIVATE(_slip_factor_of)
#define slope_is_possible JAGERC_PRIVATE(_slope_is_possible)
#define space JAGERC_PRIVATE(_space)
#define space_height JAGERC_PRIVATE(_space_height)
#define space_height_at JAGERC_PRIVATE(_space_height_at)
#define space_zeta JAGERC_PRIVATE(_space_zeta)
#define square_is_in_range JAGERC_PRIVATE(_square_is_in_range)
#define step JAGERC_PRIVATE(_step)
#define step_elastic JAGERC_PRIVATE(_step_elastic)
#define step_first JAGERC_PRIVATE(_step_first)
#define step_is_elastic JAGERC_PRIVATE(_step_is_elastic)
#define step_target JAGERC_PRIVATE(_step_target)
#define store_contact JAGERC_PRIVATE(_store_contact)
#define stored JAGERC_PRIVATE(_stored)
#define sum_anchor JAGERC_PRIVATE(_sum_anchor)
#define target_height JAGERC_PRIVATE(_target_height)
#define target_rise JAGERC_PRIVATE(_target_rise)
#define tent JAGERC_PRIVATE(_tent)
#define tent_integral JAGERC_PRIVATE(_tent_integral)
#define tent_is_allowed JAGERC_PRIVATE(_tent_is_allowed)
#define tent_of JAGERC_PRIVATE(_tent_of)
#define top_share JAGERC_PRIVATE(_top_share)
#define two_sum_error JAGERC_PRIVATE(_two_sum_error)
#define upper_end_is_possible JAGERC_PRIVATE(_upper_end_is_possible)
#define upper_points_are_possible JAGERC_PRIVATE(_upper_points_are_possible)
#define vec2 JAGERC_PRIVATE(_vec2)
#define vec2_add JAGERC_PRIVATE(_vec2_add)
#define vec2_add_scaled JAGERC_PRIVATE(_vec2_add_scaled)
#define vec2_add_scaled_error JAGERC_PRIVATE(_vec2_add_scaled_error)
#define vec2_choose JAGERC_PRIVATE(_vec2_choose)
#define vec2_divide JAGERC_PRIVATE(_vec2_divide)
#define vec2_dot JAGERC_PRIVATE(_vec2_dot)
#define vec2_is_zero JAGERC_PRIVATE(_vec2_is_zero)
#define vec2_length JAGERC_PRIVATE(_vec2_length)
#define vec2_of JAGERC_PRIVATE(_vec2_of)
#define vec2_scale_to JAGERC_PRIVATE(_vec2_scale_to)
#define vec2_subtract JAGERC_PRIVATE(_vec2_subtract)
#define vec2_with_length JAGERC_PRIVATE(_vec2_with_length)
#define walk_from_top JAGERC_PRIVATE(_walk_from_top)
#define way_from JAGERC_PRIVATE(_way_from)
#define way_residual JAGERC_PRIVATE(_way_residual)
#define zeta_at_force JAGERC_PRIVATE(_zeta_at_force)

#else

#undef jager_real
#undef jager_scalar
#undef jager_truth
#undef jager_vec3
#undef jager_vec3_add
#undef jager_vec3_subtract
#undef jager_vec3_scale
#undef jager_vec3_add_scaled
#undef jager_vec3_dot
#undef jager_vec3_cross
#undef jager_vec3_length
#undef jager_vec3_across
#undef jager_pair_arm
#undef jager_pair_surface_shift
#undef jager_pair_twirl
#undef jager_pair_cayley
#undef jager_pair_spheres
#undef jager_pair_movement
#undef jager_pair_move
#undef jager_pair_unit
#undef jager_pair_force
#undef jager_pair_moment
#undef jager_pair_mass
#undef jager_dashpot
#undef jager_dashpot_force
#undef jager_dashpot_damp
#undef jager_law
#undef jager_force
#undef jager_pool
#undef scalar
#undef real
#undef word
#undef state_word
#undef truth
#undef JAGER_FUNCTION
#undef JAGER_ASSERT
#undef JAGER_NUMBER
#undef choose
#undef jager_history_sum_anchor
#undef SPACE_FORCE
#undef SPACE_MOVEMENT
#undef anchor_is_possible
#undef anchor_of
#undef bound_after_slip
#undef cheapest_chord
#undef check_compact
#undef choose_segment
#undef chord
#undef clamp_slope
#undef clamp_slopes
#undef compensated_add
#undef compensated_vec2
#undef compensated_vec2_add
#undef cone_contains
#undef cone_contains_top
#undef cone_entry
#undef cone_entry_depth
#undef cone_way
#undef contact_apart
#undef contact_data
#undef count_dropped_point
#undef count_first_point
#undef count_new_point
#undef curvature_factor
#undef curvature_factor_of
#undef drop
#undef drop_share
#undef dropped_shares
#undef entry_cursor
#undef entry_cursor_descend
#undef entry_cursor_top
#undef entry_end
#undef entry_error_bound
#undef entry_exists
#undef entry_pop
#undef entry_push
#undef entry_slope
#undef error_bound_below_second
#undef find_cut
#undef force_component
#undef force_is_finite
#undef force_magnitude
#undef force_of
#undef has_entries
#undef has_grown_long
#undef history_drop_second
#undef history_entry
#undef history_push
#undef history_segment
#undef is_last
#undef join_top
#undef load_contact
#undef lower_friction
#undef may_merge
#undef mean_slope
#undef merge_top
#undef move_compact
#undef movement_target
#undef normal_force
#undef number_from_high32
#undef number_high32
#undef number_high32_above
#undef path_walk
#undef points_are_possible
#undef put_chord
#undef quotients_and_roots_are_rounded
#undef raised_bound
#undef real_abs
#undef real_max
#undef real_min
#undef real_of
#undef real_sqrt
#undef remove_entry
#undef round_contact
#undef scale_bound
#undef scale_bounds
#undef second_share
#undef see_below
#undef see_top
#undef seen_segment
#undef segment_at
#undef set_anchor
#undef set_bound_of_new_top
#undef set_entry_slope
#undef set_stiffness
#undef set_top
#undef set_top_base
#undef shift_while_touching
#undef shorten_if_due
#undef slide
#undef slip
#undef slip_cut
#undef slip_factor
#undef slip_factor_of
#undef slope_is_possible
#undef space
#undef space_height
#undef space_height_at
#undef space_zeta
#undef square_is_in_range
#undef step
#undef step_elastic
#undef step_first
#undef step_is_elastic
#undef step_target
#undef store_contact
#undef stored
#undef sum_anchor
#undef target_height
#undef target_rise
#undef tent
#undef tent_integral
#undef tent_is_allowed
#undef tent_of
#undef top_share
#undef two_sum_error
#undef upper_end_is_possible
#undef upper_points_are_possible
#undef vec2
#undef vec2_add
#undef vec2_add_scaled
#undef vec2_add_scaled_error
#undef vec2_choose
#undef vec2_divide
#undef vec2_dot
#undef vec2_is_zero
#undef vec2_length
#undef vec2_of
#undef vec2_scale_to
#undef vec2_subtract
#undef vec2_with_length
#undef walk_from_top
#undef way_from
#undef way_residual
#undef zeta_at_force
#undef JAGERC_PUBLIC
#undef JAGERC_PRIVATE
#if defined(JAGER_COMPACT_NAME)
#undef jager_compact
#undef jager_compact_law
#undef jager_compact_force
#undef jager_compact_real
#undef jager_compact_stored
#undef jager_compact_word
#undef jager_compact_check
#undef jager_compact_move
#undef jager_compact_force_of
#undef jager_compact_error
#undef jager_compact_check_arithmetic
#undef jager_compact_law_of
#undef jager_compact_dashpot
#undef jager_compact_dashpot_of
#undef jager_compact_stiffness_of_spheres
#undef JAGERC_JOIN
#undef JAGERC_JOIN_NOW
#undef JAGER_COMPACT_NAME
#undef JAGER_COMPACT_POINTS
#undef JAGER_COMPACT_SINGLE
#undef JAGER_COMPACT_SINGLE_STORED
#endif

#endif
