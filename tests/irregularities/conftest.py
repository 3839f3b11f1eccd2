import pytest

pytest.register_assert_rewrite("irregularities.situations", "irregularities.checks", "table.tables")
