interface CheckOptionProps {
  readonly title: string
  /** Below the title, such as the value for programs. */
  readonly detail: string
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
}

/** One of several things to choose, of which any number can be chosen. */
export function CheckOption({ title, detail, checked, onChange }: CheckOptionProps) {
  return (
    <label className="option">
      <input type="checkbox" checked={checked} onChange={({ target }) => onChange(target.checked)} />
      <span className="option-text">
        <span>{title}</span>
        <span className="muted">{detail}</span>
      </span>
    </label>
  )
}
