// Every declared route, in the document's order. Of two matching paths the earlier wins.

import { OIDC_ROUTES } from './accounts/oidc-routes.ts'
import { SESSION_ROUTES } from './accounts/session-routes.ts'
import { SIGN_IN_ROUTES } from './accounts/sign-in-routes.ts'
import { USER_ROUTES } from './accounts/user-routes.ts'
import { AUDIT_ROUTES } from './accounts/audit-routes.ts'
import { ANALYSIS_ROUTES } from './analysis/analysis-routes.ts'
import { ALERT_ROUTES } from './budgets/alert-routes.ts'
import { INCIDENT_ROUTES } from './budgets/incident-routes.ts'
import { BUDGET_ROUTES } from './budgets/budget-routes.ts'
import { KEY_BUDGET_ROUTES } from './budgets/key-budget-routes.ts'
import { DEVICE_ROUTES } from './agents/device-routes.ts'
import type { ApiRoute } from './define-route.ts'
import { CALL_FILE_ROUTES } from './exports/call-file-routes.ts'
import { EXPORT_ROUTES } from './exports/export-routes.ts'
import { KEY_ROUTES } from './keys/key-routes.ts'
import { TOKEN_ROUTES } from './keys/token-routes.ts'
import { NODE_ROUTES } from './nodes/node-routes.ts'
import { PRICE_DATA_ROUTES } from './prices/price-data-routes.ts'
import { PRICE_ROUTES } from './prices/price-routes.ts'
import { REFERENCE_ROUTES } from './reference/reference-routes.ts'
import { REQUEST_ROUTES } from './requests/request-routes.ts'
import { SERVICE_ROUTES } from './service/service-routes.ts'
import { AGENT_SESSION_ROUTES } from './sessions/session-routes.ts'
import { ADOPT_ROUTES } from './teams/adopt-routes.ts'
import { ASK_ROUTES } from './asks/ask-routes.ts'
import { TEAM_BUDGET_ROUTES } from './teams/key-budget-routes.ts'
import { TEAM_ROUTES } from './teams/team-routes.ts'
import { BREAKDOWN_ROUTES } from './usage/breakdown-routes.ts'
import { KEY_SPEND_ROUTES } from './usage/key-spend-routes.ts'
import { OVERVIEW_ROUTES } from './usage/overview-routes.ts'
import { TEAM_SPEND_ROUTES } from './usage/team-spend-routes.ts'
import { USAGE_ROUTES } from './usage/usage-routes.ts'
import { VIEW_ROUTES } from './views/view-routes.ts'

export const API_ROUTES: readonly ApiRoute[] = [
  ...USAGE_ROUTES,
  ...BREAKDOWN_ROUTES,
  ...ANALYSIS_ROUTES,
  ...EXPORT_ROUTES,
  ...CALL_FILE_ROUTES,
  ...REQUEST_ROUTES,
  ...AGENT_SESSION_ROUTES,
  ...BUDGET_ROUTES,
  ...ALERT_ROUTES,
  ...INCIDENT_ROUTES,
  ...KEY_ROUTES,
  ...KEY_SPEND_ROUTES,
  ...KEY_BUDGET_ROUTES,
  ...TEAM_ROUTES,
  ...TEAM_SPEND_ROUTES,
  ...ADOPT_ROUTES,
  ...TEAM_BUDGET_ROUTES,
  ...ASK_ROUTES,
  ...TOKEN_ROUTES,
  ...PRICE_ROUTES,
  ...PRICE_DATA_ROUTES,
  ...SIGN_IN_ROUTES,
  ...SESSION_ROUTES,
  ...OIDC_ROUTES,
  ...DEVICE_ROUTES,
  ...USER_ROUTES,
  ...AUDIT_ROUTES,
  ...VIEW_ROUTES,
  ...REFERENCE_ROUTES,
  ...OVERVIEW_ROUTES,
  ...SERVICE_ROUTES,
  ...NODE_ROUTES,
]
