import { Icon } from '../ui/Icon.tsx'

/** Above a form with a password, after another sign-in: says what to type again. */
export function SignedInAgain({ text }: { readonly text: string }) {
  return (
    <p className="notice" role="status">
      <Icon name="info" />
      <span>{text}</span>
    </p>
  )
}
