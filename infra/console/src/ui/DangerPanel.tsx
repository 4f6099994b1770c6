import type { ComponentProps } from 'react'
import { ConfirmButton } from './ConfirmDialog.tsx'
import { Panel } from './Panel.tsx'

type Question = ComponentProps<typeof ConfirmButton>

interface DangerPanelProps extends Omit<Question, 'kind' | 'disabled' | 'children'> {
  readonly texts: Question['texts'] & { readonly title: string; readonly lead: string }
}

/** Leaves or deletes something as a whole, once that is confirmed. */
export function DangerPanel({ texts, ...question }: DangerPanelProps) {
  return (
    <Panel title={texts.title} lead={texts.lead}>
      <ConfirmButton kind="danger" texts={texts} {...question} />
    </Panel>
  )
}
