import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'

/** The state of something that the API returns. The value stays while it is read again, and if that fails. */
export interface Snapshot<Value> {
  readonly value?: Value | undefined
  readonly error?: unknown
  readonly loading: boolean
}

/** Something that the API answers. Components that show the same resource share one read of it. */
export interface Resource<Value> {
  readonly options: ReturnType<typeof optionsOf<Value>>
  /** The last value that was read. */
  value(): Value | undefined
  /** Reads it again, after a change. Never rejects: a failure is in the snapshot. */
  reload(): Promise<void>
  /** Replaces the value by the result of a change. */
  set(value: Value): void
}

export interface ResourceOptions<Value> {
  /** Names it: equal keys share a value. */
  readonly key: readonly unknown[]
  readonly load: (signal: AbortSignal) => Promise<Value>
  /** How long to wait before it is read again by itself, in milliseconds; `false` ends that. */
  readonly pollEvery?: (value: Value | undefined) => number | false
  /** How long it is shown without being read again, in milliseconds; a second if left out. */
  readonly freshFor?: number
}

function optionsOf<Value>({ key, load, pollEvery, freshFor }: ResourceOptions<Value>) {
  return queryOptions({
    queryKey: key,
    queryFn: ({ signal }) => load(signal),
    ...(freshFor !== undefined && { staleTime: freshFor }),
    ...(pollEvery && { refetchInterval: ({ state }: { state: { data: Value | undefined } }) => pollEvery(state.data) }),
  })
}

/** A resource in the cache of the page. Nothing is read before a component shows it. */
export function createResource<Value>(queries: QueryClient, given: ResourceOptions<Value>): Resource<Value> {
  const options = optionsOf(given)
  const { queryKey } = options
  return {
    options,
    value: () => queries.getQueryData(queryKey),
    reload: () => queries.refetchQueries({ queryKey, exact: true }),
    set: (value) => void queries.setQueryData<Value>(queryKey, value),
  }
}

/** The snapshot of the resource. It is read when the component appears, the window gets the focus, or the connection is back. */
export function useResource<Value>({ options }: Resource<Value>): Snapshot<Value> {
  const { data, error, isFetching, isPending } = useQuery(options)
  return { value: data, error: error ?? undefined, loading: isFetching || (isPending && error === null) }
}
