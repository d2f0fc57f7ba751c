{{- define "weir.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{- define "weir.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- else if contains (include "weir.name" .) .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name (include "weir.name" .) | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "weir.selector" -}}
app.kubernetes.io/name: {{ include "weir.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "weir.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{ include "weir.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{- define "weir.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "weir.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{- define "weir.image" -}}
{{- printf "%s:%s" .Values.image.repository (default .Chart.AppVersion .Values.image.tag) -}}
{{- end -}}

{{/* The pods that answer the API: in single mode they are the proxy's. */}}
{{- define "weir.apiComponent" -}}
{{- eq .Values.mode "cluster" | ternary "api" "proxy" -}}
{{- end -}}

{{/* The names by which the API may be called; any other Host is answered 421. */}}
{{- define "weir.allowedHosts" -}}
{{- $service := printf "%s-api" (include "weir.fullname" .) -}}
{{- $hosts := list $service (printf "%s.%s" $service .Release.Namespace) (printf "%s.%s.svc" $service .Release.Namespace) (printf "%s.%s.svc.cluster.local" $service .Release.Namespace) -}}
{{- if .Values.api.ingress.enabled }}{{ $hosts = append $hosts .Values.api.ingress.host }}{{ end -}}
{{- concat $hosts .Values.api.allowedHosts | uniq | join "," -}}
{{- end -}}

{{/* weir.yaml, with the file of each credential that names its provider. Empty where there is none. */}}
{{- define "weir.config" -}}
{{- $config := deepCopy .Values.config -}}
{{- range .Values.providerCredentials -}}
{{- if .provider -}}
{{- $given := dict "credential" (printf "file:/run/secrets/weir/providers/%s" .name) -}}
{{- $config = merge $config (dict "providers" (dict .provider $given)) -}}
{{- end -}}
{{- end -}}
{{- if $config }}{{ toYaml $config }}{{ end -}}
{{- end -}}

{{/* What every pod of Weir has in common. */}}
{{- define "weir.pod" -}}
serviceAccountName: {{ include "weir.serviceAccountName" . }}
{{ include "weir.podSecurity" . }}
{{- end -}}

{{- define "weir.podSecurity" -}}
automountServiceAccountToken: false
# Else Kubernetes sets WEIR_PROXY_PORT=tcp://… for a service of that name, and Weir refuses it.
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: { type: RuntimeDefault }
{{- with .Values.image.pullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* dict "root" $ "path" … */}}
{{- define "weir.proxyProbe" -}}
{{- $scheme := empty .root.Values.proxyTls.existingSecret | ternary "HTTP" "HTTPS" -}}
{{- dict "path" .path "port" "proxy" "scheme" $scheme | toJson -}}
{{- end -}}

{{- define "weir.proxyUrl" -}}
{{- $scheme := empty .Values.proxyTls.existingSecret | ternary "http" "https" -}}
{{- printf "%s://%s-proxy.%s:%v" $scheme (include "weir.fullname" .) .Release.Namespace .Values.proxy.service.port -}}
{{- end -}}

{{/* As callers see it: stated, or its ingress, or its service. */}}
{{- define "weir.callersUrl" -}}
{{- if .Values.proxy.publicUrl -}}
{{- .Values.proxy.publicUrl -}}
{{- else if .Values.proxy.ingress.enabled -}}
{{- printf "%s://%s" (empty .Values.proxy.ingress.tlsSecret | ternary "http" "https") .Values.proxy.ingress.host -}}
{{- else -}}
{{- include "weir.proxyUrl" . -}}
{{- end -}}
{{- end -}}

{{- define "weir.apiScheme" -}}
{{- empty .Values.apiTls.existingSecret | ternary "http" "https" -}}
{{- end -}}

{{- define "weir.apiUrl" -}}
{{- printf "%s://%s-api.%s:%v" (include "weir.apiScheme" .) (include "weir.fullname" .) .Release.Namespace .Values.api.service.port -}}
{{- end -}}

{{- define "weir.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end -}}

{{/* The databases: all that weir migrate needs. */}}
{{- define "weir.databaseEnv" -}}
{{- if .Values.database.settings.existingSecret }}
- { name: WEIR_SETTINGS_URL_FILE, value: /run/secrets/weir/settings/url }
{{- end }}
{{- if .Values.database.usage.existingSecret }}
- { name: WEIR_USAGE_URL_FILE, value: /run/secrets/weir/usage/url }
{{- end }}
{{- end -}}

{{- define "weir.env" -}}
- { name: WEIR_API_HOST, value: 0.0.0.0 }
- { name: WEIR_API_PORT, value: '7071' }
- { name: WEIR_API_ALLOWED_HOSTS, value: {{ include "weir.allowedHosts" . | quote }} }
{{- with .Values.api.trustedProxies }}
- { name: WEIR_API_TRUSTED_PROXIES, value: {{ join "," . | quote }} }
{{- end }}
- { name: WEIR_PROXY_PUBLIC_URL, value: {{ include "weir.callersUrl" . | quote }} }
{{- with .Values.api.publicUrl }}
- { name: WEIR_CONSOLE_PUBLIC_URL, value: {{ . | quote }} }
{{- end }}
{{- if include "weir.config" . }}
- { name: WEIR_CONFIG, value: /etc/weir/weir.yaml }
{{- end }}
{{- include "weir.databaseEnv" . }}
{{- if .Values.secrets.smtpUrl.existingSecret }}
- { name: WEIR_ALERTS_SMTP_URL_FILE, value: /run/secrets/weir/smtp/url }
{{- end }}
{{- if .Values.secrets.oidcClientSecret.existingSecret }}
- { name: WEIR_OIDC_CLIENT_SECRET_FILE, value: /run/secrets/weir/oidc/client-secret }
{{- end }}
{{- if .Values.secrets.httpsProxy.existingSecret }}
- { name: WEIR_UPSTREAM_HTTPS_PROXY_FILE, value: /run/secrets/weir/https-proxy/url }
{{- end }}
{{- if .Values.secrets.otlpHeaders.existingSecret }}
- { name: WEIR_TELEMETRY_OTLP_HEADERS_FILE, value: /run/secrets/weir/otlp/headers }
{{- end }}
{{- if .Values.apiTls.existingSecret }}
- { name: WEIR_API_TLS_CERT, value: /run/secrets/weir/api-tls/tls.crt }
- { name: WEIR_API_TLS_KEY, value: /run/secrets/weir/api-tls/tls.key }
{{- end }}
# A process that is started again is back sooner with its code compiled.
- { name: NODE_COMPILE_CACHE, value: /tmp/compile-cache }
{{- with .Values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* dict "name" … "ref" (existingSecret, key) "path" … */}}
{{- define "weir.secretVolume" -}}
- name: {{ .name }}
  secret:
    secretName: {{ .ref.existingSecret }}
    defaultMode: 0440
    items: [{ key: {{ .ref.key | quote }}, path: {{ .path }} }]
{{- end -}}

{{- define "weir.databaseVolumes" -}}
{{- if .Values.database.settings.existingSecret }}
{{ include "weir.secretVolume" (dict "name" "settings-url" "ref" .Values.database.settings "path" "url") }}
{{- end }}
{{- if .Values.database.usage.existingSecret }}
{{ include "weir.secretVolume" (dict "name" "usage-url" "ref" .Values.database.usage "path" "url") }}
{{- end }}
{{- end -}}

{{- define "weir.databaseMounts" -}}
{{- if .Values.database.settings.existingSecret }}
- { name: settings-url, mountPath: /run/secrets/weir/settings, readOnly: true }
{{- end }}
{{- if .Values.database.usage.existingSecret }}
- { name: usage-url, mountPath: /run/secrets/weir/usage, readOnly: true }
{{- end }}
{{- end -}}

{{- define "weir.volumes" -}}
- { name: tmp, emptyDir: { sizeLimit: 1Gi } }
{{- if include "weir.config" . }}
- name: config
  configMap: { name: {{ include "weir.fullname" . }}-config }
{{- end }}
{{- include "weir.databaseVolumes" . }}
{{- if .Values.secrets.smtpUrl.existingSecret }}
{{ include "weir.secretVolume" (dict "name" "smtp-url" "ref" .Values.secrets.smtpUrl "path" "url") }}
{{- end }}
{{- if .Values.secrets.oidcClientSecret.existingSecret }}
{{ include "weir.secretVolume" (dict "name" "oidc-client-secret" "ref" .Values.secrets.oidcClientSecret "path" "client-secret") }}
{{- end }}
{{- if .Values.secrets.httpsProxy.existingSecret }}
{{ include "weir.secretVolume" (dict "name" "https-proxy" "ref" .Values.secrets.httpsProxy "path" "url") }}
{{- end }}
{{- if .Values.secrets.otlpHeaders.existingSecret }}
{{ include "weir.secretVolume" (dict "name" "otlp-headers" "ref" .Values.secrets.otlpHeaders "path" "headers") }}
{{- end }}
{{- if .Values.apiTls.existingSecret }}
- name: api-tls
  secret: { secretName: {{ .Values.apiTls.existingSecret }}, defaultMode: 0440 }
{{- end }}
{{- with .Values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "weir.volumeMounts" -}}
- { name: tmp, mountPath: /tmp }
{{- if include "weir.config" . }}
- { name: config, mountPath: /etc/weir, readOnly: true }
{{- end }}
{{- include "weir.databaseMounts" . }}
{{- if .Values.secrets.smtpUrl.existingSecret }}
- { name: smtp-url, mountPath: /run/secrets/weir/smtp, readOnly: true }
{{- end }}
{{- if .Values.secrets.oidcClientSecret.existingSecret }}
- { name: oidc-client-secret, mountPath: /run/secrets/weir/oidc, readOnly: true }
{{- end }}
{{- if .Values.secrets.httpsProxy.existingSecret }}
- { name: https-proxy, mountPath: /run/secrets/weir/https-proxy, readOnly: true }
{{- end }}
{{- if .Values.secrets.otlpHeaders.existingSecret }}
- { name: otlp-headers, mountPath: /run/secrets/weir/otlp, readOnly: true }
{{- end }}
{{- if .Values.apiTls.existingSecret }}
- { name: api-tls, mountPath: /run/secrets/weir/api-tls, readOnly: true }
{{- end }}
{{- with .Values.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* dict "root" $ "component" … "values" .Values.proxy */}}
{{- define "weir.placement" -}}
{{- $labels := printf "%s\napp.kubernetes.io/component: %s" (include "weir.selector" .root) .component | fromYaml -}}
topologySpreadConstraints:
{{- if .values.topologySpreadConstraints }}
  {{- toYaml .values.topologySpreadConstraints | nindent 2 }}
{{- else }}
  {{- range list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
  - maxSkew: 1
    topologyKey: {{ . }}
    whenUnsatisfiable: ScheduleAnyway
    labelSelector: { matchLabels: {{ toJson $labels }} }
  {{- end }}
{{- end }}
{{- with .values.nodeSelector }}
nodeSelector: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .values.tolerations }}
tolerations: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .values.affinity }}
affinity: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- end -}}
