{{- define "avatar.name" -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{- define "avatar.selector" -}}
app.kubernetes.io/name: avatar-platform
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "avatar.labels" -}}
{{ include "avatar.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "avatar.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}

{{- define "avatar.secret" -}}
{{ .Values.existingSecret | default (printf "%s-secrets" (include "avatar.name" .)) }}
{{- end -}}

{{- define "avatar.account" -}}
{{ .Values.serviceAccount.name | default (include "avatar.name" .) }}
{{- end -}}

{{/* A pod: `root`, `role` (web, worker), `part` (its component), `of` (its values), `kinds`. */}}
{{- define "avatar.pod" -}}
metadata:
  labels:
    {{- include "avatar.labels" .root | nindent 4 }}
    app.kubernetes.io/component: {{ .part }}
  annotations:
    checksum/config: {{ toJson (list .root.Values.config .root.Values.secrets .root.Values.baseUrl) | sha256sum }}
    {{- if .root.Values.metrics.annotations }}
    prometheus.io/scrape: "true"
    prometheus.io/path: /metrics
    prometheus.io/port: "4000"
    {{- end }}
    {{- with .root.Values.podAnnotations }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  serviceAccountName: {{ include "avatar.account" .root }}
  automountServiceAccountToken: false
  terminationGracePeriodSeconds: {{ .root.Values.terminationGracePeriodSeconds }}
  {{- with .root.Values.image.pullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .of.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .of.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: kubernetes.io/hostname
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "avatar.selector" .root | nindent 10 }}
          app.kubernetes.io/component: {{ .part }}
  securityContext:
    runAsNonRoot: true
    runAsUser: 1000
    runAsGroup: 1000
    fsGroup: 1000
    seccompProfile: { type: RuntimeDefault }
  containers:
    - name: {{ .role }}
      image: {{ include "avatar.image" .root | quote }}
      imagePullPolicy: {{ .root.Values.image.pullPolicy }}
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities: { drop: [ALL] }
      ports:
        - { name: http, containerPort: 4000 }
      envFrom:
        - configMapRef: { name: {{ include "avatar.name" .root }}-config }
        - secretRef: { name: {{ include "avatar.secret" .root }} }
      env:
        - { name: ROLE, value: {{ .role }} }
        - { name: PORT, value: "4000" }
        {{- with .of.kinds }}
        - { name: WORKER_KINDS, value: {{ join "," . | quote }} }
        {{- end }}
        {{- range $name, $value := .of.env }}
        - { name: {{ $name }}, value: {{ $value | quote }} }
        {{- end }}
      # A first start migrates; all others answer within seconds.
      startupProbe:
        httpGet: { path: /health/live, port: http }
        periodSeconds: 3
        failureThreshold: 60
      livenessProbe:
        httpGet: { path: /health/live, port: http }
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
      {{- if eq .role "web" }}
      readinessProbe:
        httpGet: { path: /health/ready, port: http }
        periodSeconds: 5
        timeoutSeconds: 3
        failureThreshold: 3
      # Until every proxy knows that this pod goes.
      lifecycle:
        preStop:
          exec: { command: [sleep, "5"] }
      {{- end }}
      resources:
        {{- toYaml .of.resources | nindent 8 }}
      volumeMounts:
        - { name: data, mountPath: /app/.data }
        - { name: tmp, mountPath: /tmp }
  volumes:
    - name: data
      {{- /* Uploads on their way are 2 GiB at most, and are not alone there. */}}
      emptyDir: { sizeLimit: 4Gi }
    - name: tmp
      emptyDir: { sizeLimit: 1Gi }
{{- end -}}

{{/* Disruption budget and autoscaler of a deployment: `root`, `part`, `of`, `metric` (its external or pod metric as YAML). */}}
{{- define "avatar.scaling" -}}
{{- $name := printf "%s-%s" (include "avatar.name" .root) .part }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ $name }}
  labels:
    {{- include "avatar.labels" .root | nindent 4 }}
spec:
  minAvailable: {{ .of.minAvailable }}
  selector:
    matchLabels:
      {{- include "avatar.selector" .root | nindent 6 }}
      app.kubernetes.io/component: {{ .part }}
{{- if .of.autoscaling.enabled }}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: {{ $name }}
  labels:
    {{- include "avatar.labels" .root | nindent 4 }}
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: {{ $name }} }
  minReplicas: {{ .of.autoscaling.minReplicas }}
  maxReplicas: {{ .of.autoscaling.maxReplicas }}
  behavior:
    # Sockets move when a pod goes, and jobs are given back: not at every lull.
    scaleDown:
      stabilizationWindowSeconds: 600
      policies: [{ type: Pods, value: 1, periodSeconds: 120 }]
    scaleUp:
      stabilizationWindowSeconds: 0
      policies: [{ type: Percent, value: 100, periodSeconds: 30 }]
  metrics:
    {{- if .of.autoscaling.cpuPercent }}
    - type: Resource
      resource:
        name: cpu
        target: { type: Utilization, averageUtilization: {{ .of.autoscaling.cpuPercent }} }
    {{- end }}
    {{- if or .root.Values.metrics.adapter.enabled (not .of.autoscaling.cpuPercent) }}
    {{- .metric | nindent 4 }}
    {{- end }}
{{- end }}
{{- end -}}
