export { accountLink, type LinkPurpose } from '../core/accountLink.ts'
