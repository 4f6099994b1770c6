import { queryOptions, useQuery } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { ErrorNotice } from './ErrorNotice.tsx'
import { Skeleton } from './Skeleton.tsx'

interface LazyPartProps<Props> {
  /** Names it among all parts. */
  readonly name: string
  /** Loads its code, a file of its own in the bundle. A stable function. */
  readonly load: () => Promise<ComponentType<Props>>
  readonly props: Props
}

/** A page, or a part of it, whose code is loaded when it is shown. If that fails, a button tries again. */
export function LazyPart<Props extends object>({ name, load, props }: LazyPartProps<Props>) {
  const { data: Part, error, isFetching, refetch } = useQuery(codeOf(name, load))
  if (Part !== undefined) return <Part {...props} />
  if (error === null) return <Skeleton what="page" rows={4} />
  return <ErrorNotice error={error} retrying={isFetching} onRetry={() => void refetch()} />
}

function codeOf<Props>(name: string, load: () => Promise<ComponentType<Props>>) {
  return queryOptions({
    queryKey: ['code', name],
    queryFn: load,
    staleTime: 'static',
    gcTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  })
}
