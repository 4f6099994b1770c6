import type { GivenRole, Role } from '../app/types.ts'
import type { ControlAttributes } from '../forms/Field.tsx'
import { useTexts } from '../texts/useLocalization.ts'
import { wordIn } from '../texts/wordIn.ts'

const roles = ['owner', 'billing_admin', 'member'] as const satisfies readonly GivenRole[]

interface RoleSelectProps {
  readonly value: Role
  readonly onChange: (role: GivenRole) => void
  readonly disabled?: boolean
  /** Needed if no visible label names it. */
  readonly label?: string
  readonly attributes?: ControlAttributes
}

/** A choice of roles. */
export function RoleSelect({ value, onChange, disabled = false, label, attributes }: RoleSelectProps) {
  const { organizations } = useTexts()
  const isKnown = roles.some((role) => role === value)
  return (
    <select
      {...attributes}
      aria-label={label}
      value={value}
      disabled={disabled}
      onChange={(event) => {
        const role = roles.find((one) => one === event.target.value)
        if (role !== undefined) onChange(role)
      }}
    >
      {isKnown || <option value={value}>{wordIn({}, value)}</option>}
      {roles.map((role) => (
        <option key={role} value={role}>
          {organizations.roles[role]}
        </option>
      ))}
    </select>
  )
}
