import { Link } from '../app/navigation.tsx'
import { useTexts } from '../texts/useLocalization.ts'
import { Icon } from '../ui/Icon.tsx'
import { useResource } from '../ui/resource.ts'
import { useReceivedInvitations } from './receivedInvitations.ts'

/** Says on every other page that there are invitations, and leads to them. */
export function InvitationsNotice() {
  const { received: texts } = useTexts().organizations
  const { value = [] } = useResource(useReceivedInvitations())
  const [first] = value
  if (first === undefined) return null
  return (
    <p className="notice">
      <Icon name="people" />
      <span>
        {value.length === 1 ? texts.one(first.organization.name) : texts.several(value.length)}{' '}
        <Link to={{ page: 'organizations' }}>{texts.look}</Link>
      </span>
    </p>
  )
}
