-- oldest-release: 0.1.0
-- What separates the steps that a process of the service starts from one another and from the service. An older release
-- leaves both empty.
alter table service_processes
  add column steps_sandboxed boolean,
  add column steps_own_user boolean;
