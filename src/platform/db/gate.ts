/** Admission to a database: what each transaction and each single statement waits for before it takes a connection. */
export interface Gate {
  /**
   * Resolves when a connection may be taken. The returned function is called once that connection is free again, which
   * for a backend that does not obey is later than the caller was answered.
   */
  enter(): Promise<() => void>
}
