/** The console's mark and name. */
export function Brand() {
  return (
    <span className="brand">
      <svg viewBox="0 0 32 32" aria-hidden="true" focusable="false">
        <rect width="32" height="32" rx="8" />
        <path d="M9.5 11.5 14 16l-4.5 4.5M16.5 21h6" />
      </svg>
      Console
    </span>
  )
}
