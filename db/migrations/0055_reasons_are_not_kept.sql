-- oldest-release: 0.1.0
-- Never written: why a step ended as it did follows from what its row and that of its activity say.
alter table steps drop column outcome_reason;
