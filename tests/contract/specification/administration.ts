import type { ResourceTable } from './table.ts'

export const administration: readonly ResourceTable[] = [
  {
    name: 'drain_status',
    type: 'drain_status',
    attributes: { drained: 'boolean', active_counts: 'object', blockers: 'array' },
    links: { self: '/api/admin/drain_status' },
  },
  {
    name: 'resource_slot_pool',
    type: 'resource_slot_pool',
    attributes: {
      pool: 'text',
      site: 'text',
      configured_limit: 'integer',
      claimed_count: 'integer',
      waiting_count: 'integer',
      slots: 'array',
      updated_at: 'time',
    },
    showOnly: ['slots'],
    links: { self: '{self}' },
  },
  {
    name: 'job',
    type: 'job',
    attributes: {
      job_class: 'text',
      queue: 'text',
      status: 'text',
      attempts: 'integer',
      maximum_attempts: 'integer',
      last_error: 'text?',
      run_at: 'time',
      started_at: 'time?',
      finished_at: 'time?',
      node_path: 'text?',
      created_at: 'time',
    },
    links: { self: '{self}' },
  },
  {
    name: 'site',
    type: 'site',
    attributes: {
      code: 'text',
      processes: 'integer',
      runners: 'integer',
      pools: 'array',
      created_at: 'time',
    },
    showOnly: ['pools'],
    links: { self: '{self}' },
  },
]
