import type { StreamName, StreamNews } from './stream-hub.ts'

/** Messages between a tab and the worker that holds the streams. Ids are unique within a tab. */

export type FromTab =
  | { readonly do: 'watch'; readonly id: number; readonly stream: StreamName }
  | { readonly do: 'unwatch'; readonly id: number }
  /** The tab is being closed or frozen. */
  | { readonly do: 'leave' }

export interface ToTab {
  readonly id: number
  readonly news: StreamNews
}
