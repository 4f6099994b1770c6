/** The first letter of a name, as a picture. */
export function Avatar({ name }: { readonly name: string }) {
  return (
    <span className="avatar" aria-hidden="true">
      {(Array.from(name)[0] ?? '?').toUpperCase()}
    </span>
  )
}
