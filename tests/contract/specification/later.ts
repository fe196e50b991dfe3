import type { LaterPart } from './table.ts'

/** Attributes (`attributes`) and relationships of records that other parts of the product complete; `?` may be null. */
export const laterRecords: Readonly<Record<string, { part: LaterPart; attributes: string; relationships: string }>> = {
  agent_log_line: { part: 'agents', attributes: 'message category agent_path logged_at', relationships: '' },
  agent_event: { part: 'agents', attributes: 'message created_at', relationships: '' },
  event_filter: { part: 'notifications', attributes: 'code description? rules', relationships: '' },
  event_subscriber: {
    part: 'notifications',
    attributes: 'event_filter_code channel_code? action? node_path? enabled',
    relationships: '',
  },
  notification_channel: {
    part: 'notifications',
    attributes: 'code kind configuration default_channel enabled',
    relationships: '',
  },
  data_cleanup_definition: {
    part: 'administration',
    attributes:
      'name kind cron_schedule time_zone node_paths filters older_than maximum_per_run? enabled last_run_at? next_run_at?',
    relationships: '',
  },
}
