import type { Texts } from '../texts/en.ts'
import { useTexts } from '../texts/useLocalization.ts'

/** The name of the content, for screen readers. */
export type Loading = keyof Texts['ui']['loading']

/** The shape of a list that is being read: grey rows, and a word for screen readers. */
export function Skeleton({ rows = 3, what }: { readonly rows?: number; readonly what: Loading }) {
  const { ui } = useTexts()
  return (
    <div className="skeleton" role="status">
      <span className="visually-hidden">{ui.loading[what]}</span>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike
        <div key={row} className="skeleton-row" aria-hidden="true">
          <span className="skeleton-bar short" />
          <span className="skeleton-bar" />
        </div>
      ))}
    </div>
  )
}
