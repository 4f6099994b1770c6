import { ErrorNotice } from './ErrorNotice.tsx'

/** Below the row of a list: why its action failed; nothing where it did not. */
export function RowError({ error }: { readonly error: unknown }) {
  if (error === undefined) return null
  return (
    <div className="row-more">
      <ErrorNotice error={error} />
    </div>
  )
}
