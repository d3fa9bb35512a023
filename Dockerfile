# docker build -t rubric . && docker run --rm -v "$PWD:/data" -w /data rubric score f1 --input rows.jsonl
FROM debian:12
COPY . /rubric
RUN cd /rubric && scripts/build && rm -rf /var/lib/apt/lists/* /root/.cache
ENV PATH=$PATH:/rubric/build/bin
ENTRYPOINT ["rubric"]
