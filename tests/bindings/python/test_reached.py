# SPDX-License-Identifier: BSD-2-Clause
"""Each function of the headers is called by these tests, or listed here."""
from conftest import SEVERAL, library, reached

NOT_CALLED = {
    'ovk_mat_add_csr32': 'by its 32-bit indices', 'ovk_notice_print': 'prints to a FILE *',
    'ovk_monitor_print': 'prints to a FILE *', 'ovk_precond_view': 'prints to a FILE *',
    'ovk_monitor_record': 'Python appends to a list', 'ovk_ctx_rank': 'Ranks has it', 'ovk_ctx_size': 'Ranks has it',
    'ovk_mat_ctx': 'Object.context', 'ovk_vec_ctx': 'Object.context', 'ovk_vec_array_const': 'ovk_vec_array()',
    **dict.fromkeys((f'ovk_{name}' for name in (
        'multivec_ctx', 'multivec_columns', 'multivec_size', 'multivec_local_size', 'mat_create_multivec',
        'mat_mult_many', 'precond_apply_many', 'results_worst', 'multivec_read_mm', 'multivec_write_mm')), 'several columns'),
    **dict.fromkeys((f'ovk_mat_{name}' for name in (
        'is_scattered', 'reorder', 'reorder_values', 'to_order', 'from_order', 'order')), 'arrays are put in order by SciPy'),
    'ovk_mat_mult_polled': 'a poll is a C function', 'ovk_solve': 'Solver', 'ovk_pcg_solve': 'Solver',
    'ovk_reason_text': 'Reason.name', 'ovk_reason_find': 'Reason[name]', 'ovk_closest': 'a string utility',
    'ovk_list_schedule': 'of the communication', 'ovk_log_seconds': 'Context.log()',
    'ovk_precond_register': 'Precond takes the function',
    'ovk_spec_parse': 'for plug-ins', 'ovk_spec_destroy': 'for plug-ins', 'ovk_spec_name': 'for plug-ins',
    'ovk_spec_text': 'for plug-ins', 'ovk_spec_inner': 'for plug-ins', 'ovk_spec_has': 'for plug-ins',
    'ovk_spec_string': 'for plug-ins', 'ovk_spec_check_keys': 'for plug-ins', 'ovk_spec_int': 'for plug-ins',
    'ovk_spec_double': 'for plug-ins', 'ovk_spec_word': 'for plug-ins'}
AT_ITS_END = {'ovk_finalize_self', 'ovk_ctx_destroy', 'ovk_version', 'ovk_err_text'}  # or at import


def test_each_function_is_reached():
    functions = {name for name in dir(library) if name.startswith('ovk_')}
    other = {'ovk_ctx_create_f'} if not SEVERAL else set()
    missing = functions - reached - NOT_CALLED.keys() - AT_ITS_END - other
    assert not missing
    assert len(functions) > 120


def test_the_list_has_no_function_that_is_gone():
    assert not NOT_CALLED.keys() - set(dir(library))
