import { useState } from 'react'
import { useServices } from '../app/services.ts'
import type { SignOn, SignOnTest, User } from '../app/types.ts'
import { Row } from '../lists/Row.tsx'
import { useResource } from '../loading/resource.ts'
import { useOrganization } from '../organizations/organizationData.ts'
import { nothing, useStepUp } from '../session/useStepUp.ts'
import { signOnTexts, usePartTexts } from '../texts/partTexts.ts'
import { Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { ConfirmButton } from '../ui/ConfirmDialog.tsx'
import { useToast } from '../ui/Toasts.tsx'
import { useAction } from '../ui/useAction.ts'
import { testFaults } from './signOnDraft.ts'

interface SignOnStateProps {
  readonly signOn: SignOn
  readonly user: User
  readonly hasDomain: boolean
  readonly onDeleted: () => void
}

/** The single sign-on as it is, with its test and its end. */
export function SignOnState({ signOn, user, hasDomain, onDeleted }: SignOnStateProps) {
  const { client } = useServices()
  const { organization, reloadOrganization } = useOrganization()
  const texts = usePartTexts(signOnTexts)
  const say = useToast()
  const deleting = useStepUp(`delete single sign-on ${organization.id}`, nothing)
  const test = useAction()
  const [tested, setTested] = useState<SignOnTest>()
  const path = { organization_id: organization.id }
  const state = signOn.enforced ? 'required' : 'optional'

  return (
    <section aria-labelledby="sign-on-state">
      <h2 id="sign-on-state">{texts.stateTitle}</h2>
      <ul className="rows">
        <Row
          icon="lock"
          title={signOn.issuer}
          badges={<Badge tone={hasDomain ? 'good' : 'warn'}>{texts.statuses[state]}</Badge>}
          error={test.error}
          more={
            <div className="row-more stack">
              {!hasDomain && (
                <p className="notice warn" role="alert">
                  {texts.withoutDomain}
                </p>
              )}
              {tested !== undefined && <TestResult tested={tested} />}
              {signOn.break_glass_user_id !== null && <BreakGlass userId={signOn.break_glass_user_id} user={user} />}
              <div className="row-actions">
                <Button
                  running={test.running}
                  onClick={() =>
                    void test.run(async () => {
                      setTested(undefined)
                      setTested(await client.testSingleSignOn({ path }))
                    })
                  }
                >
                  {texts.test.button}
                </Button>
                <ConfirmButton
                  texts={texts.remove}
                  asksAtOnce={deleting.isSignedIn}
                  onConfirm={async () => {
                    await deleting.run(true, () => client.deleteSingleSignOn({ path }))
                    onDeleted()
                    say(texts.remove.done)
                    await reloadOrganization()
                  }}
                />
              </div>
            </div>
          }
        >
          <p className="muted small">{texts.explained[state]}</p>
        </Row>
      </ul>
    </section>
  )
}

function TestResult({ tested }: { readonly tested: SignOnTest }) {
  const { test: texts } = usePartTexts(signOnTexts)
  const fault = testFaults.find((known) => known === tested.error)
  return (
    <p className={tested.ok ? 'notice good' : 'notice warn'} role="status">
      {tested.ok ? texts.good : texts.bad(fault === undefined ? texts.unknown : texts.faults[fault])}
    </p>
  )
}

/** Who can do without the provider. */
function BreakGlass({ userId, user }: { readonly userId: string; readonly user: User }) {
  const { members } = useOrganization()
  const { breakGlass: texts } = usePartTexts(signOnTexts)
  const { value } = useResource(members)
  if (userId === user.id) return <p className="hint">{texts.you}</p>
  const name = value?.members.find((member) => member.user_id === userId)?.username ?? texts.unknown
  return <p className="hint">{texts.other(name)}</p>
}
