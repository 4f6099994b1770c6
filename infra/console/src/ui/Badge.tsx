import type { Tone } from './tone.ts'

/** A short word for a state. */
export function Badge({ tone, children }: { readonly tone: Tone; readonly children: string }) {
  return <span className={`badge ${tone}`}>{children}</span>
}
