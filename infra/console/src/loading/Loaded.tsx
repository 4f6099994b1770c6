import type { ReactNode } from 'react'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { type Resource, useResource } from './resource.ts'
import { type Loading, Skeleton } from './Skeleton.tsx'

interface LoadedProps<Value> {
  readonly resource: Resource<Value>
  /** Its name, for screen readers. */
  readonly what: Loading
  readonly rows?: number
  readonly children: (value: Value) => ReactNode
}

/** Shows a resource: its shape while it first loads, the failure with a button to try again, or its value. */
export function Loaded<Value>({ resource, what, rows = 3, children }: LoadedProps<Value>) {
  const { value, error, loading } = useResource(resource)
  const notice = <ErrorNotice error={error} retrying={loading} onRetry={() => void resource.reload()} />
  if (value === undefined) return error === undefined ? <Skeleton what={what} rows={rows} /> : notice
  return (
    <>
      {notice}
      {children(value)}
    </>
  )
}
