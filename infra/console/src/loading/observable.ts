/** A value that components follow with `useSyncExternalStore`. */
export interface Observable<Value> {
  snapshot(): Value
  subscribe(listener: () => void): () => void
}

/** An observable, and what shows its next value. */
export function createObservable<Value>(first: Value): Observable<Value> & { show(next: Value): void } {
  const listeners = new Set<() => void>()
  let current = first
  return {
    snapshot: () => current,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    show(next) {
      current = next
      for (const listener of listeners) listener()
    },
  }
}
