import { type ReactNode, useState } from 'react'
import { maySee } from '../organizations/permissions.ts'
import { InvitationsNotice } from '../session/InvitationsNotice.tsx'
import { useTexts } from '../texts/useLocalization.ts'
import { wordIn } from '../texts/wordIn.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { Icon, type IconName } from '../ui/Icon.tsx'
import { useAction } from '../ui/useAction.ts'
import { Brand } from './Brand.tsx'
import { LanguageSelect } from './LanguageSelect.tsx'
import { Link } from './navigation.tsx'
import { type OrganizationPage, organizationPages, type Route } from './route.ts'
import { Shortcuts } from './Shortcuts.tsx'
import { useServices } from './services.ts'
import type { Organization, User } from './types.ts'

interface ShellProps {
  /** Left out until it is known. */
  readonly user?: User
  readonly route: Route
  /** Left out outside of organizations, and until it is known. */
  readonly organization?: Organization | undefined
  readonly children: ReactNode
}

/** The drawings of the pages' entries in the menu. */
const icons = {
  overview: 'home',
  products: 'box',
  cards: 'card',
  invoices: 'invoice',
  details: 'address',
  members: 'people',
  'sign-in-rules': 'lock',
  domains: 'globe',
  sso: 'bank',
  'api-clients': 'key',
  webhooks: 'send',
  activity: 'activity',
  settings: 'settings',
} as const satisfies Record<OrganizationPage, IconName>

/** The frame of every page: menu, organization, account. On a phone the menu opens with a button. */
export function Shell({ user, route, organization, children }: ShellProps) {
  const { session } = useServices()
  const { app } = useTexts()
  const [isOpen, setOpen] = useState(false)
  const signOut = useAction()
  const close = () => setOpen(false)
  const menu = { shown: route.page, onNavigate: close }
  return (
    <div className="shell">
      <a className="skip" href={`${location.pathname}#content`}>
        {app.skip}
      </a>
      <header className="side">
        <div className="side-top">
          <Link className="brand-link" to={{ page: 'organizations' }} onNavigate={close}>
            <Brand />
          </Link>
          {organization && <span className="side-organization">{organization.name}</span>}
          <button
            type="button"
            className="icon-button menu-button"
            aria-expanded={isOpen}
            aria-controls="menu"
            aria-label={app.menu}
            onClick={() => setOpen(!isOpen)}
          >
            <Icon name={isOpen ? 'close' : 'menu'} />
          </button>
        </div>
        <div className={isOpen ? 'menu open' : 'menu'} id="menu">
          {'organizationId' in route && <OrganizationSwitch organization={organization} onNavigate={close} />}
          {'organizationId' in route && (
            <nav aria-label={app.navigation.organization}>
              {organizationPages
                .filter((page) => organization === undefined || maySee(organization.role, page))
                .map((page) => (
                  <MenuLink key={page} to={{ page, organizationId: route.organizationId }} icon={icons[page]} {...menu}>
                    {app.pages[page]}
                  </MenuLink>
                ))}
            </nav>
          )}
          {!('organizationId' in route) && (
            <nav aria-label={app.navigation.organizations}>
              <MenuLink to={{ page: 'organizations' }} icon="people" {...menu}>
                {app.navigation.organizations}
              </MenuLink>
            </nav>
          )}
          <nav className="account" aria-label={app.navigation.account}>
            <MenuLink to={{ page: 'profile' }} className="nav-link person" {...menu}>
              <Avatar name={user?.username ?? ''} />
              <span className="person-text">
                <span>{user?.username ?? app.navigation.account}</span>
                <span className="muted small">{user?.email ?? '…'}</span>
              </span>
            </MenuLink>
            <MenuLink to={{ page: 'security' }} icon="lock" {...menu}>
              {app.security}
            </MenuLink>
            <MenuLink to={{ page: 'account-activity' }} icon="activity" {...menu}>
              {app.accountActivity}
            </MenuLink>
            <button type="button" className="nav-link" onClick={() => void signOut.run(() => session.signOut())}>
              <Icon name="out" />
              {app.signOut}
            </button>
            <Shortcuts />
            <LanguageSelect />
          </nav>
        </div>
      </header>
      <main id="content" tabIndex={-1}>
        <div className="content">
          {route.page !== 'organizations' && <InvitationsNotice />}
          {children}
        </div>
      </main>
    </div>
  )
}

interface MenuLinkProps {
  readonly to: Route
  /** The page that is shown. */
  readonly shown: Route['page']
  readonly icon?: IconName
  readonly className?: string
  readonly onNavigate: () => void
  readonly children: ReactNode
}

/** An entry of the menu. */
function MenuLink({ to, shown, icon, className = 'nav-link', onNavigate, children }: MenuLinkProps) {
  return (
    <Link className={className} to={to} current={to.page === shown} onNavigate={onNavigate}>
      {icon && <Icon name={icon} />}
      {children}
    </Link>
  )
}

interface OrganizationSwitchProps {
  /** Left out until it is known. */
  readonly organization: Organization | undefined
  readonly onNavigate: () => void
}

/** The current organization, with a menu to switch to another. */
function OrganizationSwitch({ organization, onNavigate }: OrganizationSwitchProps) {
  const { app, organizations } = useTexts()
  return (
    <Link className="organization-switch" to={{ page: 'organizations' }} onNavigate={onNavigate}>
      <Avatar name={organization?.name ?? ''} />
      <span className="person-text">
        <span>{organization?.name ?? app.navigation.organization}</span>
        <span className="muted small">{organization ? wordIn(organizations.roles, organization.role) : '…'}</span>
      </span>
      <span className="visually-hidden">{organizations.switch}</span>
      <Icon name="switch" />
    </Link>
  )
}
