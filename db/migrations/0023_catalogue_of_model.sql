-- oldest-release: 0.1.0
-- A program that looks at the actions of an asset's model is asked again when the asset has got a new one.

alter table action_catalogues add column reads_catalogue boolean not null default false;
