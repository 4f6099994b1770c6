/** The pages that choose, make and manage organizations: a file of their own in the bundle. */

export { DomainsPage } from '../members/DomainsPage.tsx'
export { MembersPage } from '../members/MembersPage.tsx'
export { SignInRulesPage } from '../members/SignInRulesPage.tsx'
export { SignOnPage } from '../members/SignOnPage.tsx'
export { ActivityPage } from './ActivityPage.tsx'
export { ApiClientsPage } from './ApiClientsPage.tsx'
export { ChooseOrganizationPage } from './ChooseOrganizationPage.tsx'
export { NewOrganizationPage } from './NewOrganizationPage.tsx'
export { SettingsPage } from './SettingsPage.tsx'
