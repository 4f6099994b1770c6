import { useServices } from '../app/services.ts'
import { TextField } from '../forms/Field.tsx'
import { Form } from '../forms/Form.tsx'
import { useForm } from '../forms/useForm.ts'
import { saveFile } from '../lists/saveFile.ts'
import { accountTexts, usePartTexts } from '../texts/partTexts.ts'
import { useLocalization } from '../texts/useLocalization.ts'
import { Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { DangerPanel } from '../ui/DangerPanel.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { Panel } from '../ui/Panel.tsx'
import { useToast } from '../ui/Toasts.tsx'
import { useAction } from '../ui/useAction.ts'
import { EmailForm } from './EmailForm.tsx'
import { type Profile, profileIn } from './session.ts'
import { nothing, useStepUp } from './useStepUp.ts'

/** The user's own account. */
export function ProfilePage({ profile: { user, etag } }: { readonly profile: Profile }) {
  const { client, session } = useServices()
  const { format } = useLocalization()
  const { profile } = usePartTexts(accountTexts)
  const form = useForm({ username: user.username })
  const say = useToast()

  async function save(): Promise<void> {
    const saved = await form.action.run(async () =>
      session.changed(profileIn(await client.send('updateCurrentUser', { body: form.typed }))),
    )
    if (saved) say(profile.saved)
  }

  return (
    <>
      <PageHeader title={profile.title} lead={profile.lead} />
      <div className="stack narrow">
        <Form
          form={form}
          texts={{ button: profile.save }}
          disabled={form.typed.username === user.username}
          onSubmit={save}
        >
          <TextField
            label={profile.username}
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            {...form.field('username')}
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
        </Form>
        <EmailForm user={user} />
        <AccountData user={user} etag={etag} />
      </div>
    </>
  )
}

/** The user's stored data: download a copy, or delete the account. */
function AccountData({ user, etag }: Profile) {
  const { client, session } = useServices()
  const { data, deletion: texts } = usePartTexts(accountTexts)
  const deletion = useStepUp('delete account', nothing)
  const action = useAction()

  async function download(): Promise<void> {
    saveFile(data.file, 'application/json', JSON.stringify(await client.exportCurrentUser(), null, 2))
  }

  async function remove(): Promise<void> {
    await deletion.run(true, async () => {
      const { deletion_at } = await client.deleteCurrentUser({ headers: { 'If-Match': etag } })
      session.end({ kind: 'account_deleted', at: deletion_at })
    })
  }

  return (
    <>
      <Panel title={data.title} lead={data.text} error={action.error}>
        <Button running={action.running} onClick={() => void action.run(download)}>
          {data.button}
        </Button>
      </Panel>
      <DangerPanel texts={texts} word={user.username} asksAtOnce={deletion.isSignedIn} onConfirm={remove} />
    </>
  )
}
