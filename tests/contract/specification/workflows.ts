import type { ResourceTable } from './table.ts'

export const workflows: readonly ResourceTable[] = [
  {
    name: 'workflow',
    type: 'workflow',
    source: 'interface 7, 13',
    attributes: {
      code: 'text',
      name: 'text',
      description: 'text?',
      draft: 'boolean',
      archived: 'boolean',
      latest_version: 'integer',
      latest_published_version: 'integer?',
      created_by: 'text',
      created_at: 'time',
      updated_at: 'time',
    },
    relationships: {
      project: { to: 'one', type: 'project', related: '{project}' },
      versions: { to: 'many', type: 'workflow_version', related: '{self}/versions' },
    },
    links: { self: '{self}', versions: '{self}/versions', project: '{project}' },
    authorisations: { update: [], execute: [], delete: [] },
  },
  {
    name: 'workflow_version',
    type: 'workflow_version',
    source: 'interface 7, 13',
    attributes: {
      version: 'integer',
      draft: 'boolean',
      source_yaml: 'text',
      steps: 'array',
      created_by: 'text',
      created_at: 'time',
      updated_at: 'time',
      published_at: 'time?',
    },
    showOnly: ['source_yaml', 'steps'],
    encrypted: ['source_yaml', 'steps'],
    relationships: { workflow: { to: 'one', type: 'workflow', related: '{project}/workflows/release' } },
    links: { self: '{self}', workflow: '{project}/workflows/release' },
  },
]
