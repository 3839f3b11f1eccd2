import pytest

pytest.register_assert_rewrite("rules.checks", "rules.insurance_checks")
