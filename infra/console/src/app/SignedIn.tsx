import { ChooseOrganizationPage } from '../organizations/ChooseOrganizationPage.tsx'
import { NewOrganizationPage } from '../organizations/NewOrganizationPage.tsx'
import { OrganizationPages } from '../organizations/OrganizationPages.tsx'
import { ProfilePage } from '../session/ProfilePage.tsx'
import { SecurityPage } from '../session/SecurityPage.tsx'
import { useTexts } from '../texts/useLocalization.ts'
import { PageHeader } from '../ui/PageHeader.tsx'
import { Link } from './navigation.tsx'
import type { Route } from './route.ts'
import { Shell } from './Shell.tsx'
import type { User } from './types.ts'

/** The page of an address, for a signed-in user. */
export function SignedIn({ user, route }: { readonly user: User; readonly route: Route }) {
  if ('organizationId' in route) return <OrganizationPages key={route.organizationId} user={user} route={route} />
  return (
    <Shell user={user} route={route}>
      {route.page === 'organizations' && <ChooseOrganizationPage user={user} />}
      {route.page === 'new-organization' && <NewOrganizationPage />}
      {route.page === 'profile' && <ProfilePage user={user} />}
      {route.page === 'security' && <SecurityPage />}
      {route.page === 'unknown' && <UnknownPage />}
    </Shell>
  )
}

/** An address at which nothing is. */
function UnknownPage() {
  const {
    app: { unknown },
  } = useTexts()
  return (
    <>
      <PageHeader title={unknown.title} lead={unknown.lead} />
      <p>
        <Link className="button primary" to={{ page: 'organizations' }}>
          {unknown.link}
        </Link>
      </p>
    </>
  )
}
