/** Admission to a database: what each transaction and each single statement waits for before it takes a connection. */
export interface Gate {
  /**
   * Resolves when a connection may be used. The returned function is called once that connection is free again; if a
   * backend does not react to a cancellation, that is later than the response to the caller.
   */
  enter(): Promise<() => void>
}
