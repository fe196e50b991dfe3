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
}
