import { type FormEvent, useState } from 'react'
import { isApiError } from '../../../client/src/index.ts'
import { fieldProblems } from '../app/fieldProblems.ts'
import { problemOf } from '../app/problem.ts'
import { useServices } from '../app/services.ts'
import type { User } from '../app/types.ts'
import { inLanguage } from '../texts/inLanguage.ts'
import { useLocalization } from '../texts/useLocalization.ts'
import { Badge } from '../ui/Badge.tsx'
import { TextField } from '../ui/Field.tsx'
import { FormActions } from '../ui/FormActions.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { useToast } from '../ui/Toasts.tsx'
import { useAction } from '../ui/useAction.ts'
import { AccountData } from './AccountData.tsx'

/** The user's own account. */
export function ProfilePage({ user }: { readonly user: User }) {
  const { client, session, securityUrl } = useServices()
  const { language, texts, format } = useLocalization()
  const { profile } = texts.session
  const [username, setUsername] = useState(user.username)
  const action = useAction()
  const say = useToast()
  const isTaken = isApiError(action.error) && action.error.status === 409
  const problem = isTaken
    ? problemOf(action.error, texts).text
    : fieldProblems(action.error, texts, texts.problems.fields).username

  async function save(event: FormEvent): Promise<void> {
    event.preventDefault()
    const saved = await action.run(async () => session.changed(await client.updateCurrentUser({ body: { username } })))
    if (saved) say(profile.saved)
  }

  return (
    <>
      <PageHeader title={profile.title} lead={profile.lead} />
      <div className="stack narrow">
        <form className="panel form" onSubmit={(event) => void save(event)} noValidate>
          <TextField
            label={profile.username}
            problem={problem}
            value={username}
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            onChange={setUsername}
          />
          <dl className="facts">
            <div>
              <dt>{profile.email}</dt>
              <dd>
                {user.email}{' '}
                {user.is_verified ? (
                  <Badge tone="good">{profile.verified}</Badge>
                ) : (
                  <Badge tone="warn">{profile.notVerified}</Badge>
                )}
              </dd>
            </div>
            <div>
              <dt>{profile.memberSince}</dt>
              <dd>{format.day(user.created_at)}</dd>
            </div>
          </dl>
          <FormActions
            action={action}
            submit={profile.save}
            disabled={username === user.username}
            isExplained={problem !== undefined}
          />
        </form>
        <section className="panel" aria-labelledby="security">
          <h2 id="security">{profile.security}</h2>
          <p className="muted">{profile.securityText}</p>
          <div className="panel-action">
            <a className="button" href={inLanguage(securityUrl, language)}>
              {profile.securityLink}
            </a>
          </div>
        </section>
        <AccountData user={user} />
      </div>
    </>
  )
}
