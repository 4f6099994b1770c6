import { type FormEvent, useState } from 'react'
import { isApiError } from '../../../client/src/index.ts'
import { fieldProblems } from '../app/fieldProblems.ts'
import { problemOf } from '../app/problem.ts'
import { useServices } from '../app/services.ts'
import type { User } from '../app/types.ts'
import { Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { Field } from '../ui/Field.tsx'
import { formatDay } from '../ui/format.ts'
import { PageHeader } from '../ui/PageHeader.tsx'
import { useToast } from '../ui/Toasts.tsx'
import { useAction } from '../ui/useAction.ts'
import { AccountData } from './AccountData.tsx'

const words = {
  username: 'Use 3 to 32 letters, digits, dots, dashes or underscores, with a letter or digit at both ends.',
}

/** The user's own account. */
export function ProfilePage({ user }: { readonly user: User }) {
  const { client, session, securityUrl } = useServices()
  const [username, setUsername] = useState(user.username)
  const action = useAction()
  const say = useToast()
  const isTaken = isApiError(action.error) && action.error.status === 409
  const problem = isTaken ? problemOf(action.error).text : fieldProblems(action.error, words).username

  async function save(event: FormEvent): Promise<void> {
    event.preventDefault()
    const saved = await action.run(async () => session.changed(await client.updateCurrentUser({ body: { username } })))
    if (saved) say('Your profile is saved')
  }

  return (
    <>
      <PageHeader title="Your profile" lead="How you appear to the members of your organizations." />
      <div className="stack narrow">
        <form className="panel form" onSubmit={(event) => void save(event)} noValidate>
          <Field label="Username" problem={problem}>
            {(attributes) => (
              <input
                {...attributes}
                value={username}
                autoComplete="username"
                autoCapitalize="none"
                spellCheck={false}
                onChange={(event) => setUsername(event.target.value)}
              />
            )}
          </Field>
          <dl className="facts">
            <div>
              <dt>Email address</dt>
              <dd>
                {user.email}{' '}
                {user.is_verified ? <Badge tone="good">Verified</Badge> : <Badge tone="warn">Not verified</Badge>}
              </dd>
            </div>
            <div>
              <dt>Member since</dt>
              <dd>{formatDay(user.created_at)}</dd>
            </div>
          </dl>
          {problem === undefined && <ErrorNotice error={action.error} />}
          <div className="form-actions">
            <Button kind="primary" type="submit" running={action.running} disabled={username === user.username}>
              Save
            </Button>
          </div>
        </form>
        <section className="panel" aria-labelledby="security">
          <h2 id="security">Security</h2>
          <p>
            Passkeys, an authenticator app and recovery codes protect your account when your password becomes known.
          </p>
          <a className="button" href={securityUrl}>
            Sign-in and security
          </a>
        </section>
        <AccountData user={user} />
      </div>
    </>
  )
}
