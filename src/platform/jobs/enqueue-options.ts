/**
 * `key`: queued once at most. `runAt`: ISO 8601. `nodePath`: the node that it is shown with. `afterPeople`: it runs
 * after jobs that people wait for.
 */
export interface EnqueueOptions {
  readonly key?: string
  readonly runAt?: string
  readonly nodePath?: string
  readonly afterPeople?: true
}
