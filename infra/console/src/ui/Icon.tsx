import { type IconName, iconPaths } from './iconPaths.ts'

export type { IconName }

/** A drawing beside a text that says the same: it is not read out. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={iconPaths[name]} />
    </svg>
  )
}
