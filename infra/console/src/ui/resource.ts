import { useEffect, useSyncExternalStore } from 'react'
import { createObservable, type Observable } from './observable.ts'

/** The state of something that the API returns. The value stays while it is read again, and if that fails. */
export interface Snapshot<Value> {
  readonly value?: Value
  readonly error?: unknown
  readonly loading: boolean
}

/** Something that the API answers, read once for every component that shows it. */
export interface Resource<Value> extends Observable<Snapshot<Value>> {
  /** Reads it again. Never rejects: a failure is in the snapshot. */
  reload(): Promise<void>
  /** Replaces the value by the result of a change. */
  set(value: Value): void
}

/** A resource that `load` reads. Of several reads at once, the answer to the latest counts. */
export function createResource<Value>(load: () => Promise<Value>): Resource<Value> {
  const { show, ...current } = createObservable<Snapshot<Value>>({ loading: false })
  let latest = 0

  return {
    ...current,
    async reload() {
      const own = ++latest
      show({ ...current.snapshot(), loading: true })
      try {
        const value = await load()
        if (own === latest) show({ value, loading: false })
      } catch (error) {
        if (own === latest) show({ ...current.snapshot(), error, loading: false })
      }
    },
    set(value) {
      latest++
      show({ value, loading: false })
    },
  }
}

/** The snapshot of the resource, which is read again when the component appears. */
export function useResource<Value>(resource: Resource<Value>): Snapshot<Value> {
  const snapshot = useSyncExternalStore(resource.subscribe, resource.snapshot)
  useEffect(() => {
    const reload = () => void resource.reload()
    reload()
    // A resource may have failed without a connection, or be outdated.
    addEventListener('online', reload)
    return () => removeEventListener('online', reload)
  }, [resource])
  // Before the effect has run, nothing is known and nothing has failed: that is loading too.
  const untouched = snapshot.value === undefined && snapshot.error === undefined
  return untouched ? { ...snapshot, loading: true } : snapshot
}
