import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { type PartTexts, textsOfPart } from '../texts/partTexts.ts'
import { useLocalization } from '../texts/useLocalization.ts'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { Skeleton } from './Skeleton.tsx'

interface LazyPartProps<Props> {
  /** Names it among all parts. */
  readonly name: string
  /** Loads its code, a file of its own in the bundle. A stable function. */
  readonly load: () => Promise<ComponentType<Props>>
  /** Loaded with the code, if the part has texts of its own. */
  readonly texts?: PartTexts<unknown> | undefined
  /** Of a page: its heading while its code is not there. */
  readonly title?: string
  readonly props: Props
}

/** A page, or a part of it, whose code is loaded when it is shown. If that fails, a button tries again. */
export function LazyPart<Props extends object>({ name, load, texts = noTexts, title, props }: LazyPartProps<Props>) {
  const { language } = useLocalization()
  const code = useQuery(codeOf(name, load))
  const words = useQuery({ ...textsOfPart(texts, language), placeholderData: keepPreviousData })
  const Part = code.data
  if (Part !== undefined && words.data !== undefined) return <Part {...props} />
  const error = code.error ?? words.error
  const heading = title && <h1 className={error === null ? 'visually-hidden' : 'page-title'}>{title}</h1>
  if (error === null)
    return (
      <>
        {heading}
        <Skeleton what="page" rows={4} />
      </>
    )
  const retry = () => void Promise.all([code.error && code.refetch(), words.error && words.refetch()])
  return (
    <>
      {heading}
      <ErrorNotice error={error} retrying={code.isFetching || words.isFetching} onRetry={retry} />
    </>
  )
}

const none = async () => 'none'
const noTexts: PartTexts<unknown> = { name: 'none', load: { en: none, de: none } }

function codeOf<Props>(name: string, load: () => Promise<ComponentType<Props>>) {
  return queryOptions({
    queryKey: ['code', name],
    queryFn: load,
    staleTime: 'static',
    gcTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  })
}
