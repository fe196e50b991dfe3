import type { ResourceTable, ValueKind } from './table.ts'

const record: Readonly<Record<string, ValueKind>> = {
  data: 'object',
  version: 'integer',
  owner_type: 'text',
  created_by: 'text',
  created_at: 'time',
  updated_at: 'time',
}

const documents = (name: 'properties' | 'settings'): readonly ResourceTable[] => [
  {
    name,
    type: name,
    attributes: record,
    encrypted: ['data'],
    relationships: {
      owner: { to: 'one', type: 'any' },
      versions: { to: 'many', type: `${name}_version`, related: `/api/${name}/{id}/versions` },
    },
    links: { self: `/api/${name}/{id}`, owner: '*', versions: `/api/${name}/{id}/versions` },
  },
  {
    name: `${name}_version`,
    type: `${name}_version`,
    attributes: {
      data: 'object',
      version: 'integer',
      owner_type: 'text',
      created_by: 'text',
      created_at: 'time',
      active_from: 'time',
      active_to: 'time?',
    },
    encrypted: ['data'],
    relationships: { owner: { to: 'one', type: 'any' } },
    links: { self: '{self}', owner: '*', versions: '*' },
  },
]

export const configuration: readonly ResourceTable[] = [
  ...documents('properties'),
  ...documents('settings'),
  {
    name: 'converged_properties',
    type: 'converged_properties',
    attributes: { data: 'object' },
    relationships: {
      repository_properties: { to: 'many', type: 'repository_properties' },
      properties: { to: 'many', type: 'properties_version' },
    },
    links: { self: '{parent}/converged_properties' },
    meta: { property_sources: 'any' },
    included: ['properties_version', 'repository_properties'],
  },
  {
    name: 'included_properties_version',
    type: 'properties_version',
    attributes: { data: 'object', version: 'integer', created_at: 'time', owner_type: 'text' },
    links: { self: '*', versions: '*', owner: '*' },
  },
  {
    name: 'included_template_properties_version',
    type: 'properties_version',
    attributes: { data: 'object', version: 'integer', created_at: 'time', owner_type: 'text' },
    links: { self: '*', versions: '*', owner: '*' },
    meta: { template_versions: 'any' },
  },
  {
    name: 'repository_properties',
    type: 'repository_properties',
    attributes: { content: 'object' },
    links: { repository_path: 'text' },
  },
  {
    name: 'converged_settings',
    type: 'converged_settings',
    attributes: { data: 'object' },
    links: { self: '{parent}/converged_settings' },
    meta: { setting_sources: 'any' },
  },
  ...(['project', 'template', 'asset'] as const).map(
    (type): ResourceTable => ({
      name: `properties_history_${type}`,
      type,
      attributes: {
        level: 'integer',
        code: 'text',
        name: 'text',
        properties_versions: 'array',
        ...(type === 'asset' && { template_versions: 'array' as const }),
      },
      links: {},
    }),
  ),
  {
    name: 'system_configuration',
    type: 'system_configuration',
    attributes: { created_at: 'time' },
    relationships: { settings: { to: 'one', type: 'settings', related: '/api/settings/{related:settings}' } },
    links: { self: '/api/system_configuration' },
  },
]

/** Names of layers in `meta.property_sources.by_property`; `…` matches names and codes. */
export const propertySources = [
  'Repository: …',
  'Project: … (…)',
  'Environment: … (…)',
  'Template: … (…)',
  'Template version: … (…)',
  'Asset: … (…)',
  'Agent: … (…)',
] as const
