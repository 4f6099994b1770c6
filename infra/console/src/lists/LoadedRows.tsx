import type { ReactElement } from 'react'
import { Loaded } from '../loading/Loaded.tsx'
import type { Resource } from '../loading/resource.ts'
import type { Loading } from '../loading/Skeleton.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import type { IconName } from '../ui/Icon.tsx'
import { RowSection } from './RowSection.tsx'

interface LoadedRowsProps<Item> {
  readonly resource: Resource<readonly Item[]>
  /** Its name, for screen readers. */
  readonly what: Loading
  readonly title: string
  /** Shown in place of no rows, with the next step. */
  readonly none: { readonly icon: IconName; readonly title: string; readonly text: string }
  /** The row of an item, with a key. */
  readonly children: (item: Item) => ReactElement
}

/** A resource that is a list, as a titled list of rows. */
export function LoadedRows<Item>({ resource, what, title, none, children }: LoadedRowsProps<Item>) {
  return (
    <Loaded resource={resource} what={what}>
      {(items) =>
        items.length === 0 ? (
          <EmptyState icon={none.icon} title={none.title}>
            <p>{none.text}</p>
          </EmptyState>
        ) : (
          <RowSection title={title}>{items.map(children)}</RowSection>
        )
      }
    </Loaded>
  )
}
